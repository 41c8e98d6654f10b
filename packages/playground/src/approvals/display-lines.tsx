import type { ShownDisplay } from '@countersign/client-sdk/display'

/** The lines of a display. A person approves only what the page shows. */
export const DisplayLines = ({ lines, language, direction }: Pick<ShownDisplay, 'lines' | 'language' | 'direction'>) => (
  <dl class="payload" lang={language} dir={direction}>
    {lines.map(({ label, value }, index) => (
      // The lines of a confirmation never change, and labels may repeat.
      <div key={index}>
        <dt>{label}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
