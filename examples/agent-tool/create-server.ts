import {
  CountersignError,
  type RequireApprovalOptions,
  requireApproval,
  type ServiceClient,
} from '@countersign/client-sdk/verifier'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import * as z from 'zod'
import type { Bank } from './bank.ts'

export interface AgentTool {
  /** The client of Countersign, which sends the service token of this tool. */
  readonly countersign: ServiceClient
  /** The person who approves. Set by whoever starts the tool, never by the agent. */
  readonly userId: number
  readonly bank: Bank
  /** Verifies receipts, if the keys of the issuer are known. */
  readonly receipts?: RequireApprovalOptions['receipts']
}

const transferInput = {
  recipient: z.string().regex(/^[\p{L}\p{N} ]{1,70}$/u),
  cents: z.int().positive().describe('the amount in cents of a euro'),
}

const said = (text: string, isError = false) => ({ content: [{ type: 'text' as const, text }], isError })

/** Makes an MCP server with one tool, which moves money only after a person has approved exactly this transfer. */
export const createAgentServer = ({ countersign, userId, bank, receipts }: AgentTool): McpServer => {
  const server = new McpServer({ name: 'bank', version: '1.0.0' })
  const description = 'Transfer money. The account holder approves every transfer on a phone.'
  server.registerTool('transfer', { description, inputSchema: transferInput }, async ({ recipient, cents }, { signal }) => {
    // The tool builds the action from the arguments that it is going to use, and from nothing else that the agent says.
    const actionPayload = { amount: (cents / 100).toFixed(2), currency: 'EUR', recipient }
    const action = { userId, actionType: 'payment_approval', actionPayload } as const
    try {
      const { confirmationId } = await requireApproval(countersign, action, { signal, ...(receipts && { receipts }) })
      bank.move(recipient, cents)
      return said(`Transferred ${actionPayload.amount} EUR to ${recipient} (${confirmationId}).`)
    } catch (error) {
      // The agent learns that nothing was moved, and not how to try again without a person.
      if (error instanceof CountersignError) return said(`Not transferred: ${error.message}.`, true)
      throw error
    }
  })
  return server
}
