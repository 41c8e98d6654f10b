import type { Display } from '@countersign/client-sdk/display'

/** The lines of a display. A person approves only what the page shows. */
export const DisplayLines = ({ lines }: Pick<Display, 'lines'>) => (
  <dl class="payload">
    {lines.map(({ label, value }, index) => (
      // The lines of a confirmation never change, and labels may repeat.
      <div key={index}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
