/** The lines of the icons, on a ground of 24 × 24. */
const lines = {
  inbox: 'M4 13v5a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-5m-16 0 3-8h10l3 8m-16 0h4l1 3h6l1-3h4',
  history: 'M4 5v4h4M4.5 9a8 8 0 1 1-.4 4M12 8v4l3 2',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm-7.5 8a7.5 7.5 0 0 1 15 0',
  back: 'm14.5 5-7 7 7 7',
  forward: 'm9.5 5 7 7-7 7',
  check: 'm5 12.5 4.5 4.5L19 7.5',
  cross: 'm6.5 6.5 11 11m0-11-11 11',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18Zm0-14v5l3 2',
  undo: 'M9 14 4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  phone: 'M8 2.5h8a2 2 0 0 1 2 2v15a2 2 0 0 1-2 2H8a2 2 0 0 1-2-2v-15a2 2 0 0 1 2-2Zm3 16h2',
  computer: 'M5 5h14a1 1 0 0 1 1 1v9H4V6a1 1 0 0 1 1-1ZM2 19h20',
  key: 'M8 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8Zm4-4h9v4m-4-4v3',
  lock: 'M6 11h12v9H6zm2.5 0V7.5a3.5 3.5 0 0 1 7 0V11',
  bell: 'M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zm4 5h4',
  people:
    'M9 11.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM2.5 20a6.5 6.5 0 0 1 13 0M16 4.8a3.5 3.5 0 0 1 0 6.4m2.5 3.3a6.5 6.5 0 0 1 3 5.5',
  share: 'M12 15V3m-4 4 4-4 4 4M5 12v7a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-7',
  save: 'M12 3v12m-4-4 4 4 4-4M5 17v2a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-2',
  add: 'M12 5v14m-7-7h14',
  language: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c5 5 5 13 0 18m0-18c-5 5-5 13 0 18',
  shield: 'M12 21c5-2 8-5 8-9.5V6l-8-3-8 3v5.5C4 16 7 19 12 21Z',
  warning: 'M12 4 2.5 20h19zm0 6v4m0 3v.01',
  offline:
    'M2 8.5a15 15 0 0 1 6-3.4m3.5-.6A15 15 0 0 1 22 8.5M5.5 12.5A10 10 0 0 1 9 10.3m6.5.4a10 10 0 0 1 3 1.8M9 16a4.5 4.5 0 0 1 6 0m-3 3.5v.01M3 3l18 18',
} as const

export type IconName = keyof typeof lines

/** An icon next to a text. Screen readers skip it. Arrows along the text turn with its direction. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg class={`icon ${name}`} viewBox="0 0 24 24" aria-hidden="true">
    <path d={lines[name]} />
  </svg>
)

/** The mark of the app: a tick above the line on which one signs. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 48 48" aria-hidden="true">
    <path d="m14 21.5 7.5 7.5L35 13M13 37h22" />
  </svg>
)
