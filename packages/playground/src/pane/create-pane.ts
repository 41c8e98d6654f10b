import { signal } from '@preact/signals'
import { createService } from '../service/service.ts'
import { keptSession } from './kept-session.ts'
import type { Notice, Pane, PaneName } from './pane.ts'

export const createPane = (name: PaneName): Pane => ({
  name,
  client: createService(name),
  session: keptSession(name),
  notice: signal<Notice>(),
  busy: signal(false),
})
