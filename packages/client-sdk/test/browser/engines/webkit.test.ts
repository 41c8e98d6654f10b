import { walkBlockedData } from './walk-blocked-data.ts'
import { walkDevice } from './walk-device.ts'
import { walkTabs } from './walk-tabs.ts'

walkTabs('WebKit')
walkDevice('WebKit')
walkBlockedData('WebKit')
