import { createServiceClient } from '@countersign/client-sdk/verifier'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createBank } from './bank.ts'
import { createAgentServer } from './create-server.ts'

const { COUNTERSIGN_URL: baseUrl = 'http://localhost:4000', SERVICE_TOKEN: token, APPROVER_ID: approver } = process.env
const userId = Number(approver)
if (token === undefined || !Number.isSafeInteger(userId)) throw new Error('SERVICE_TOKEN and APPROVER_ID must be set')

// Standard output belongs to the protocol, so nothing else is written there.
const countersign = createServiceClient({ baseUrl, serviceName: 'agent-tool', token })
await createAgentServer({ countersign, userId, bank: createBank(1_000_000) }).connect(new StdioServerTransport())
