import { sentences } from './sentences.ts'

/** The facts that a caller of each operation of approvals must know, beyond its title. */
export const approvalDescriptions = {
  'confirmations.initiate': sentences(
    'The trusted devices of the user are notified, and the confirmation expires after five minutes.',
    'The device shows and signs the whole payload. A user has at most 100 pending confirmations.',
  ),
  'confirmations.pending': sentences(
    'Needs the token of a trusted device, or of a trusted passkey where passkeys approve.',
    'Show the words of `display` and no others, and compute the challenge from `statement` before signing.',
  ),
  'confirmations.list': sentences(
    'A trusted device or passkey reads everything that the user was asked.',
    'Every other session reads only what it asked for itself. Payloads are encrypted, so their text is not searched.',
  ),
  'confirmations.status': sentences(
    'A withdrawn confirmation reads `expired`.',
    'The extended answer has the reason of a rejection, the time of a withdrawal and the signed words.',
  ),
  'confirmations.verify': sentences(
    'A device sends `deviceId` and `signedChallenge`; a passkey sends its assertion.',
    'The fifth wrong signature and the second wrong number reject the confirmation.',
  ),
  'devices.vouch': 'The earlier vouching ends, and the answer has a new number. At most three times in a day for one device.',
  'passkeys.vouch': 'The earlier vouching ends, and the answer has a new number. At most three times in a day for one passkey.',
  'devices.vouching':
    'The new device shows the number, and the person types it on the trusted device. The trusted device never gets the number.',
  'passkeys.vouching':
    'The new passkey shows the number, and the person types it on the trusted device. The trusted device never gets the number.',
  'confirmations.receipt': sentences(
    'The receipt has the signed words, the signature and the key, sealed by the service.',
    'It can be verified with the published keys alone, also after the device was removed.',
  ),
  'receipts.keys':
    'A JWK set (RFC 7517). Keep a copy elsewhere: a receipt is verified with it years later, also without this service.',
  'confirmations.reject': sentences(
    'Any session of the user may reject.',
    'With `notMe`, a trusted device also ends the session that asked, except in the vote for an approval request.',
  ),
  'confirmations.withdraw':
    'The phone stops showing it. Confirmations of services, votes and vouchings cannot be withdrawn here (403).',
  'events.stream': sentences(
    'Events name what changed and have no content: read again what they name.',
    'The token travels in `Authorization`, which `EventSource` cannot send. A comment comes at least every 15 seconds.',
  ),
  'services.initiate': sentences(
    'Needs the scope `confirmation.initiate:TYPE`. A service has at most five pending confirmations for one user.',
    '`onBehalfOf` is signed and shown.',
  ),
  'services.confirmation': sentences(
    'Needs the scope `confirmation.read:TYPE`.',
    'With `wait`, the answer comes when the user has decided, at the latest after so many seconds.',
    '`approved` is no permission: redeem it.',
  ),
  'services.receipt': 'Needs the scope `confirmation.read:TYPE`. 404 also while nobody has approved.',
  'services.redeem': sentences(
    'Needs the scope `confirmation.redeem:TYPE`, and exactly the action that the user approved. Act only after 200.',
    'With the same `idempotencyKey`, a lost answer can be asked for again.',
  ),
  'services.withdraw': 'Needs the scope `confirmation.initiate:TYPE`. Confirmations of other services get 404.',
  'approvals.start': sentences(
    'The policy of the type says whose approvals count, and how many are needed. The requester is never asked.',
    'With too few people who can approve, the request is refused at once.',
  ),
  'approvals.list': sentences(
    'The sessions that read everything are those of the list of confirmations.',
    'Voters and reasons are left out; reading one request has them.',
  ),
  'approvals.read':
    'Everybody else gets 404. The extended answer has the signed words, the votes, and who stopped the request and why.',
  'approvals.withdraw': 'The approvers are asked no longer, and approvals that were given are never used.',
  'approvals.stop':
    'Needs the token of a trusted device or passkey, and a reason. Works after voting too, and when all approvals are there.',
  'services.approval': 'Needs the scope `approval.read:TYPE`. `approved` is no permission: only the redemption decides.',
  'services.redeemApproval': sentences(
    'Needs the scope `approval.redeem:TYPE`, exactly the approved action, and the policy that the service knows by itself.',
    'Act only after 200.',
  ),
  'services.withdrawApproval': 'Needs the scope `approval.redeem:TYPE`. Approvals that were given are never used.',
} as const
