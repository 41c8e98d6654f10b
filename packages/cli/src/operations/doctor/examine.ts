import { examineSealedFields, oldSpellings } from '@countersign/core/storage'
import { checkConfig } from '@countersign/server'
import { nodeRefusal } from '../../require-node.ts'
import type { CommandContext } from '../../shared/command-context.ts'
import { examineAddress } from './address.ts'
import { examineBoundTokens, findTokensOfNobody } from './bound-tokens.ts'
import { type Check, type Finding, failed, ok } from './check.ts'
import * as configuration from './configuration.ts'
import { examineDatabase, examineDemoUser, examineServers, hasDemoUser } from './database.ts'
import { examineEmails } from './emails.ts'
import { examineEnvironmentFiles } from './environment-file.ts'
import { examineKeys, examineReceipts, findKeys } from './keys.ts'
import { examineMail } from './mail.ts'
import { examinePolicies } from './policies.ts'
import { examinePush } from './push.ts'

const examineNode = (version: string): Finding => {
  const refusal = nodeRefusal(version)
  return refusal === undefined ? ok(version) : failed(refusal)
}

/** Checks every part of the installation and changes nothing. A refused configuration is a finding among others. */
export const examine = async ({ env }: Pick<CommandContext, 'env'>): Promise<readonly Check[]> => {
  const { config, problems } = checkConfig(env)
  const refused = problems.map(({ variable }) => variable)
  const complaints = [
    ...problems,
    ...configuration.doubtfulSettings(config).filter(({ variable }) => !refused.includes(variable)),
  ]
  const wrong = new Map<string, string>()
  for (const { check, line } of complaints) {
    wrong.set(check, wrong.has(check) ? `${wrong.get(check)}; ${line}` : line)
  }
  const wrongAddress = refused.some((variable) => /^COUNTERSIGN_(?:HOST|PORT)$/.test(variable))
  const keys = await findKeys(config)
  const found = wrong.has('database')
    ? undefined
    : await examineDatabase(config, async (storage) => ({
        sealed: wrong.has('keys') ? undefined : await examineSealedFields(storage, keys.fields),
        receiptKeys: await storage.receiptKeys.all(),
        hasDemoUser: await hasDemoUser(storage),
        oldSpellings: await oldSpellings(storage),
        policies: await storage.actionPolicies.all(),
        withoutPasskey: await storage.users.count({ needsPasskeyAt: Date.now() }),
        tokensOfNobody: await findTokensOfNobody(storage, Date.now()),
        servers: problems.length > 0 ? undefined : await examineServers(storage, config, keys),
      }))

  const findings: Readonly<Record<string, Finding | undefined>> = {
    node: examineNode(process.versions.node),
    environment: configuration.examineEnvironment(config),
    'environment files': await examineEnvironmentFiles(env),
    configuration: undefined,
    address: wrongAddress ? undefined : await examineAddress(config),
    origins: configuration.examineOrigins(config),
    parts: configuration.examineParts(config.parts, found?.parts),
    database: found?.database,
    clock: found?.clock,
    'schema version': found?.schema ?? failed('not known without the database'),
    keys: examineKeys(keys, found?.inside?.sealed),
    receipts: examineReceipts(keys, config.receipts, found?.inside?.receiptKeys),
    'password hashes': await configuration.examinePasswordHashes(),
    cache: await configuration.examineCache(config.redisUrl),
    push: await examinePush(config.push),
    mail: await examineMail(config),
    'rate limits': configuration.examineRateLimits(config),
    enrolment: configuration.examineEnrolment(config),
    'number matching': configuration.examineNumberMatching(config),
    'passkey approvals': configuration.examinePasskeyApprovals(config, found?.inside?.withoutPasskey),
    gates: configuration.examineGates(config),
    policies: examinePolicies(found?.inside?.policies ?? []),
    'service tokens': examineBoundTokens(found?.inside?.tokensOfNobody ?? []),
    retention: configuration.examineRetention(config),
    metrics: configuration.examineMetrics(config),
    servers: found?.inside?.servers,
    emails: examineEmails(found?.inside?.oldSpellings ?? []),
    'demo user': found?.inside?.hasDemoUser === true ? examineDemoUser(config) : undefined,
  }
  return Object.entries(findings).flatMap(([check, finding]): Check[] => {
    const complaint = wrong.get(check)
    if (complaint !== undefined) return [{ check, ...failed(complaint) }]
    return finding === undefined ? [] : [{ check, ...finding }]
  })
}
