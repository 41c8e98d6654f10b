import { calls } from '../service/calls.ts'
import type { Call } from '../service/keep-call.ts'

const pretty = (json: string): string => {
  try {
    return JSON.stringify(JSON.parse(json), null, 2)
  } catch {
    return json
  }
}

const toneOf = (status: number | undefined): string => (status !== undefined && status < 400 ? 'badge good' : 'badge bad')

const Part = ({ title, text }: { readonly title: string; readonly text: string }) =>
  text === '' ? null : (
    <>
      <h3>{title}</h3>
      <pre>{text}</pre>
    </>
  )

/** An HTTP call: one line, with request and response beneath. */
const CallItem = ({ call }: { readonly call: Call }) => (
  <li>
    <details>
      <summary>
        <span class={toneOf(call.status)}>{call.status ?? 'no response'}</span> <span class="method">{call.method}</span>{' '}
        <span class="fine">
          {Math.round(call.milliseconds)} ms{call.times > 1 ? `, ${call.times} times` : ''}
        </span>
        <span class="path">{call.path}</span>
      </summary>
      <Part title="Authorization" text={call.authorization ?? ''} />
      <Part title="Request body" text={pretty(call.requestBody)} />
      <Part title="Response body" text={pretty(call.responseBody)} />
    </details>
  </li>
)

export const Log = () => (
  <section class="pane log" aria-labelledby="log-title">
    <header class="bar">
      <h2 id="log-title">Calls</h2>
      <button
        type="button"
        onClick={() => {
          calls.value = []
        }}
      >
        Clear
      </button>
    </header>
    <div class="body">
      {calls.value.length === 0 ? (
        <p class="fine">
          Every HTTP call of this page appears here, with request and response. A repeated call with the same response is counted
          on one line.
        </p>
      ) : (
        <ul class="calls">
          {calls.value.map((call) => (
            <CallItem key={call.id} call={call} />
          ))}
        </ul>
      )}
    </div>
  </section>
)
