import { createHash } from 'node:crypto'
import { chooseLanguage, shippedLanguages } from '@countersign/contract/display'
import type { PushMessage } from '@countersign/core'
import { subjectIdOf } from './deliver.ts'

/** The notification of a phone or an app. Push services can read it, so it has only the kind, the id and fixed words. */
export interface PushNotification {
  readonly title: string
  readonly body: string
  readonly language: string
  /** True if the phone shows the message without a sound, because nothing is left to do. */
  readonly isQuiet: boolean
  /** The data for the app, besides the words. */
  readonly data: Readonly<Record<string, string>>
}

/** Returns the seconds for which a push service keeps a message. */
export const timeToLive = ({ expiresAt }: PushMessage, now: number): number => Math.max(0, Math.floor((expiresAt - now) / 1000))

type Words = Readonly<Record<(typeof shippedLanguages)[number], readonly [title: string, body: string]>>

const words: Readonly<Record<PushMessage['type'], Words>> = {
  'confirmation.requested': {
    en: ['A request waits', 'Open the app to approve or reject it.'],
    de: ['Eine Anfrage wartet', 'Öffnen Sie die App, um sie zu bestätigen oder abzulehnen.'],
    fr: ['Une demande attend', 'Ouvrez l’application pour l’approuver ou la refuser.'],
    es: ['Hay una solicitud pendiente', 'Abra la aplicación para aprobarla o rechazarla.'],
    ar: ['هناك طلب في الانتظار', 'افتح التطبيق للموافقة عليه أو رفضه.'],
  },
  'confirmation.settled': {
    en: ['The request is settled', 'There is nothing left to do.'],
    de: ['Die Anfrage ist erledigt', 'Es ist nichts mehr zu tun.'],
    fr: ['La demande est réglée', 'Il n’y a plus rien à faire.'],
    es: ['La solicitud está resuelta', 'No queda nada por hacer.'],
    ar: ['تمت معالجة الطلب', 'لم يعد هناك ما يجب فعله.'],
  },
  'account.changed': {
    en: ['Your account has changed', 'Open the app to see what has changed.'],
    de: ['Ihr Konto hat sich geändert', 'Öffnen Sie die App, um die Änderung zu sehen.'],
    fr: ['Votre compte a changé', 'Ouvrez l’application pour voir ce qui a changé.'],
    es: ['Su cuenta ha cambiado', 'Abra la aplicación para ver qué ha cambiado.'],
    ar: ['تغيّر حسابك', 'افتح التطبيق لمعرفة ما تغيّر.'],
  },
  'push.test': {
    en: ['A test message', 'Messages arrive on this device.'],
    de: ['Eine Testnachricht', 'Nachrichten kommen auf diesem Gerät an.'],
    fr: ['Un message de test', 'Les messages arrivent sur cet appareil.'],
    es: ['Un mensaje de prueba', 'Los mensajes llegan a este dispositivo.'],
    ar: ['رسالة تجريبية', 'الرسائل تصل إلى هذا الجهاز.'],
  },
}

/** Returns the notification of a message, in the language of its app; in English if the product has no words in that language. */
export const notificationOf = (message: PushMessage): PushNotification => {
  const { type } = message
  const asked = chooseLanguage(shippedLanguages, message.language)
  const language = shippedLanguages.find((one) => one === asked) ?? 'en'
  const [title, body] = words[type][language]
  const subject =
    'confirmationId' in message
      ? { confirmationId: message.confirmationId }
      : { noticeId: message.noticeId, ...('change' in message && { change: message.change }) }
  return { title, body, language, isQuiet: type === 'confirmation.settled', data: { type, ...subject } }
}

/** Returns the key under which a later message replaces an earlier one about the same subject: 32 characters of base64url. */
export const collapseKeyOf = (message: PushMessage): string =>
  createHash('sha256').update(subjectIdOf(message)).digest('base64url').slice(0, 32)
