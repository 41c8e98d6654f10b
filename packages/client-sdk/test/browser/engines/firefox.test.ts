import { describeInEngine } from './engine-pages.ts'
import { walkBlockedData, walkBlockedFrame } from './walk-blocked-data.ts'
import { walkDevice } from './walk-device.ts'
import { walkTabs } from './walk-tabs.ts'

describeInEngine('Firefox', [walkTabs, walkDevice, walkBlockedFrame])
describeInEngine('Firefox', [walkBlockedData], { blocksData: true })
