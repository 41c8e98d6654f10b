import { displayOf } from '/client/display/index.js'
import { createClient, deviceNameFrom, webCryptoSigner } from '/client/index.js'
import { find, send, showProblem, whenSignedIn } from './bank-page.js'

const client = createClient({ baseUrl: location.origin })

const button = (text, act) => {
  const made = Object.assign(document.createElement('button'), { textContent: text })
  made.addEventListener('click', () => showProblem(act))
  return made
}

/** Shows exactly the words that the signature covers. */
const card = (confirmation, signer) => {
  const { language, direction, title, lines } = displayOf(confirmation, navigator.language)
  const made = Object.assign(document.createElement('article'), { lang: language, dir: direction })
  const put = (tag, textContent) => made.append(Object.assign(document.createElement(tag), { textContent }))
  put('h2', title)
  for (const { label, value } of lines) put('p', `${label}: ${value}`)
  const decide = (act) => async () => {
    await act()
    made.remove()
  }
  made.append(
    button(
      'Approve',
      decide(() => client.confirmations.approve(confirmation, signer)),
    ),
    button(
      'Reject',
      decide(() => client.confirmations.reject(confirmation, 'rejected on the phone')),
    ),
  )
  return made
}

const showPending = async (signer) => {
  const { confirmations } = await client.confirmations.pending()
  const shown = new Set([...document.querySelectorAll('article')].map(({ id }) => id))
  for (const confirmation of confirmations) {
    if (shown.has(confirmation.confirmationId)) continue
    find('#pending').append(Object.assign(card(confirmation, signer), { id: confirmation.confirmationId }))
  }
  const isPending = (id) => confirmations.some(({ confirmationId }) => confirmationId === id)
  for (const old of document.querySelectorAll('article')) if (!isPending(old.id)) old.remove()
}

/** Logs in by the key of this phone, and asks every second what there is to approve. */
const use = async (signer) => {
  await client.mobile.login({ signer })
  find('#register').hidden = true
  const everySecond = async () => {
    await showProblem(() => showPending(signer))
    setTimeout(everySecond, 1000)
  }
  await everySecond()
}

const register = (signer) => async () => {
  await client.adopt(await send('/phone/session', {}))
  const { trusted } = await client.devices.register({
    signer,
    deviceName: deviceNameFrom('Phone of the bank'),
    deviceType: 'mobile',
  })
  if (!trusted) throw new Error('This phone must wait: sign in again, or use the phone that you have registered.')
  await use(signer)
}

await whenSignedIn(async ({ name }) => {
  const signer = await webCryptoSigner({ name })
  find('#register').addEventListener('click', () => showProblem(register(signer)))
  await use(signer).catch(() => {
    find('#register').hidden = false
  })
})
