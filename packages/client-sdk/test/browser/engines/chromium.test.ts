import { describeInEngine } from './engine-pages.ts'
import { walkBlockedData, walkBlockedFrame } from './walk-blocked-data.ts'
import { walkDevice } from './walk-device.ts'
import { walkSessionCookie } from './walk-session-cookie.ts'
import { walkTabs } from './walk-tabs.ts'

describeInEngine('Chromium', [walkTabs, walkDevice, walkBlockedFrame, walkSessionCookie])
describeInEngine('Chromium', [walkBlockedData], { blocksData: true })
