import { calls } from '../service/calls.ts'
import { CallItem } from './call-item.tsx'

/** Every HTTP call of the page, the newest first. */
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
