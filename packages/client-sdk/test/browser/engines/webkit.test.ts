import { describeInEngine } from './engine-pages.ts'
import { walkBlockedFrame } from './walk-blocked-data.ts'
import { walkDevice } from './walk-device.ts'
import { walkSessionCookie } from './walk-session-cookie.ts'
import { walkTabs } from './walk-tabs.ts'

// MiniBrowser has no setting that forbids pages to store data.
describeInEngine('WebKit', [walkTabs, walkDevice, walkBlockedFrame, walkSessionCookie])
