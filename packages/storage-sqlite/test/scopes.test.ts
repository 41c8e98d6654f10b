import { describeScopes } from '../../core/src/testing/contract/describe-scopes.ts'
import { createTestStorage } from '../src/testing/create-test-storage.ts'

describeScopes('SQLite', createTestStorage)
