export const find = (selector) => document.querySelector(selector)

/** Makes an element of a class with children. */
export const make = (tag, className, ...children) => {
  const made = Object.assign(document.createElement(tag), { className })
  made.append(...children)
  return made
}

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

/** Runs the work, and shows its error in a place of the page. */
export const showProblem = async (work, place = '#problem') => {
  find(place).textContent = ''
  try {
    await work()
  } catch (error) {
    find(place).textContent = error.message
  }
}

const showLogin = (isShown) => {
  find('.welcome').hidden = !isShown
  find('main').hidden = isShown
  find('#logout').hidden = isShown
}

/** Keeps the page of a customer who is signed in up to date, and shows the form of the login to everybody else. */
export const whenSignedIn = (show) => {
  const update = async () => {
    try {
      await show()
      showLogin(false)
    } catch (error) {
      if (error.status !== 401) throw error
      showLogin(true)
    }
  }
  find('#login').addEventListener('submit', (event) => {
    event.preventDefault()
    showProblem(async () => {
      await send('/login', Object.fromEntries(new FormData(event.target)))
      event.target.reset()
      await update()
    }, '#login [role=alert]')
  })
  find('#logout').addEventListener('click', () =>
    showProblem(async () => {
      await send('/logout', {})
      await update()
    }),
  )
  // A connection that fails for a moment keeps what is shown.
  const everySecond = async () => {
    if (!document.hidden && find('.welcome').hidden) await update().catch(() => {})
    setTimeout(everySecond, 1000)
  }
  showProblem(update).then(everySecond)
  return update
}
