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
export const CallItem = ({ call }: { readonly call: Call }) => (
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
