import { showPayload } from './show-payload.ts'

/** The whole payload of a confirmation. A person approves only what the page shows. */
export const PayloadList = ({ payload }: { readonly payload: Readonly<Record<string, unknown>> }) => (
  <dl class="payload">
    {showPayload(payload).map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
