/** Sends a request to the bank, and shows its refusal. @throws Error for a refusal */
export const send = async (path, body) => {
  const init =
    body === undefined ? {} : { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(path, init)
  const text = await answer.text()
  const data = text === '' ? {} : JSON.parse(text)
  if (!answer.ok) throw Object.assign(new Error(data.message), { status: answer.status })
  return data
}

export const find = (selector) => document.querySelector(selector)

/** Runs the work, and shows its error on the page. */
export const showProblem = async (work) => {
  find('#problem').textContent = ''
  try {
    await work()
  } catch (error) {
    find('#problem').textContent = error.message
  }
}

/** Shows the form for the login of the bank, and the rest of the page to whoever is signed in. */
export const whenSignedIn = (show) => {
  const open = async () => {
    try {
      const customer = await send('/accounts')
      find('#login').hidden = true
      find('main').hidden = false
      await show(customer)
    } catch (error) {
      if (error.status !== 401) throw error
      find('#login').hidden = false
      find('main').hidden = true
    }
  }
  find('#login').addEventListener('submit', (event) => {
    event.preventDefault()
    showProblem(async () => {
      await send('/login', Object.fromEntries(new FormData(event.target)))
      await open()
    })
  })
  return showProblem(open)
}
