import { describeTenants } from '../../core/src/testing/contract/describe-tenants.ts'
import { createTestStorage } from '../src/testing/create-test-storage.ts'

describeTenants('SQLite', createTestStorage)
