import { Told } from './actions.ts'
import { client, phone } from './phone.ts'
import { settings } from './settings.ts'
import { language, t } from './words.ts'

const { vapidPublicKey } = settings

/** Whether the service sends Web Push, and the browser takes it. */
export const canNotify = vapidPublicKey !== null && 'PushManager' in globalThis && 'serviceWorker' in navigator

/** Whether this is a page in the browser of an iPhone or iPad, which takes Web Push only in the installed page. */
export const mustInstall = vapidPublicKey !== null && (navigator as { readonly standalone?: boolean }).standalone === false

const setPushToken = (pushToken: string | null) =>
  client.devices.setPushToken({
    deviceId: phone.peek()?.deviceId ?? '',
    pushToken,
    ...(pushToken !== null && { language: language.peek() }),
  })

/** Subscribes this browser, and tells the service where to send. */
export const startNotifying = async (): Promise<string> => {
  if ((await Notification.requestPermission()) !== 'granted') throw new Told(t('notifyDenied'))
  const { pushManager } = await navigator.serviceWorker.ready
  const subscription = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: vapidPublicKey })
  await setPushToken(JSON.stringify(subscription))
  return t('notifyIsOn')
}

export const stopNotifying = async (): Promise<string> => {
  await setPushToken(null)
  const { pushManager } = await navigator.serviceWorker.ready
  await (await pushManager.getSubscription())?.unsubscribe()
  return t('notifyIsOff')
}
