import { showPayload } from './show-payload.ts'

/** What a confirmation asks for, whole: what is not shown is not agreed to. */
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
