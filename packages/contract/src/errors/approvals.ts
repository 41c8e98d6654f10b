import { error } from './error-description.ts'

export const approvalErrors = {
  confirmation_not_found: error('not_found', 'Confirmation not found', {
    when: 'The user has no confirmation with this id.',
    remedy: 'Check the id and the user.',
  }),
  confirmation_used: error('gone', 'Action confirmation token already used', {
    when: 'The confirmation was approved or rejected before.',
    remedy: 'Read its status. For another approval, request a new confirmation.',
  }),
  confirmation_expired: error('gone', 'Action confirmation expired', {
    when: 'Nobody decided in time, or the confirmation was withdrawn.',
    remedy: 'Request a new confirmation.',
  }),
  wrong_confirmation_signature: error('unauthenticated', 'Invalid device signature', {
    when: 'The signature is not by the key of the device, or not over this challenge.',
    remedy: 'Sign the UTF-8 bytes of the challenge text. Several wrong signatures reject the confirmation.',
  }),
  receipt_not_found: error('not_found', 'Receipt not found', {
    when: 'The caller has no approved confirmation with this id.',
    remedy: 'Check the id, the status and the user.',
  }),
  data_erased: error('gone', 'The data of this user was erased', {
    when: 'The user and the content of the confirmation were erased. Earlier receipts still verify.',
    remedy: 'Use a receipt that you kept.',
  }),
  receipt_unavailable: error('conflict', 'The approval has no stored evidence', {
    when: 'The confirmation was approved before evidence was kept.',
    remedy: 'Request a new confirmation.',
  }),
  receipts_unavailable: error('unavailable', 'No receipt key can sign', {
    when: 'Every receipt key of the service is retired or revoked.',
    remedy: 'The operator adds a receipt key.',
  }),
  isolation_level: error(
    'conflict',
    'client must be in a transaction with the isolation level READ COMMITTED; use the approval in a transaction of its own if yours has another level',
    {
      place: 'host',
      when: 'An approval is used in a transaction of the host with the isolation level REPEATABLE READ or SERIALIZABLE. It would not see that a phone was removed, or a policy tightened, meanwhile.',
      remedy: 'Use the approval in a second transaction with READ COMMITTED, before the work: `docs/host-transactions.md`.',
    },
  ),
  action_type_not_found: error('not_found', 'Action type not found', {
    place: 'host',
    when: 'No action type is registered under this key.',
    remedy: 'Take a key from `countersign action list`.',
  }),
  action_type_taken: error('conflict', {
    place: 'host',
    when: 'This version is registered already, and never changes.',
    remedy: 'Register a new version.',
  }),
  action_type_breaks: error('conflict', {
    place: 'host',
    when: 'The new version refuses payloads that the active version accepts.',
    remedy: 'Change the schema, or register the version with `--allow-breaking`.',
  }),
  action_types_changed_meanwhile: error(
    'conflict',
    'The action types were changed by somebody else at the same time; try again',
    {
      place: 'host',
      when: 'Other processes kept changing the action types.',
      remedy: 'Try again.',
    },
  ),
  display_refused: error('invalid', {
    place: 'host',
    when: 'The schema accepts a member that no line of the display shows, or the display is malformed.',
    remedy: 'Close every object of the schema, and give every member a line in every language.',
  }),
  receipt_key_not_found: error('not_found', 'Receipt key not found', {
    place: 'host',
    when: 'No published receipt key has this id.',
    remedy: 'Take an id from `countersign keys list`.',
  }),
  receipt_key_ended: error('conflict', 'The receipt key was already retired or revoked', {
    place: 'host',
    when: 'The receipt key was retired or revoked before.',
    remedy: '`countersign keys list` shows since when.',
  }),
  wrong_match_number: error('unauthenticated', 'Wrong number', {
    when: 'The number is not the number that the asking page shows.',
    remedy: 'Compare the number with the page. The second wrong number rejects the confirmation.',
  }),
  confirmation_not_approved: error('conflict', 'Confirmation is not approved', {
    when: 'The confirmation is pending, rejected, expired, voided or of another purpose; or the user is disabled or locked, or the device that approved was removed.',
    remedy: 'Read its status. For another approval, request a new confirmation.',
  }),
  other_action: error('conflict', 'Confirmation is of another action', {
    when: 'The user approved another action: the type, the payload, the operation or the tenant differs.',
    remedy: 'Send exactly what was approved. Never carry out an action that differs.',
  }),
  confirmation_consumed: error('gone', 'Confirmation already consumed', {
    when: 'The approval was used before.',
    remedy: 'Do not carry out the action again.',
  }),
  confirmation_too_old: error('gone', 'Confirmation was approved too long ago', {
    when: 'The user approved longer ago than the option `approvalMaxAge` allows, or than the caller allows.',
    remedy: 'Request a new confirmation.',
  }),
  CONFIRMATION_REQUIRED: error('forbidden', 'Confirmation required', {
    when: 'A gate asks for an approval, and the call has none. `details` has the `actionType`, `actionPayload`, `operation` and `tenant` to approve, and the `policy` if several people must approve.',
    remedy:
      'Request a confirmation of exactly this, or an approval request if there is a `policy`. After the approval, repeat the call with its id in the header `Confirmation-Id`.',
  }),
  too_many_pending_confirmations: error('rate_limited', {
    when: 'The user has as many pending confirmations as are allowed.',
    remedy: 'Decide on them, or wait until they expire.',
  }),
  receipts_not_configured: error('unavailable', 'Receipts are not configured', {
    when: 'The service has no keys for receipts. Nothing was consumed.',
    remedy: 'The operator sets `COUNTERSIGN_RECEIPT_KEYS`.',
  }),
  no_approval_policy: error('conflict', 'The action type has no approval policy', {
    when: 'No policy says who approves this type.',
    remedy: 'The operator sets one: `approvalPolicies`, or `countersign action policy`.',
  }),
  no_holders: error('conflict', 'The user directory does not say who holds a permission', {
    when: 'The user directory of the host lacks `holdersOf`, which finds approvers.',
    remedy: 'The developer of the host adds it.',
  }),
  too_few_approvers: error('conflict', 'Too few users can approve this action', {
    when: 'Fewer users than the policy asks for hold its permissions and have a trusted device. The requester never counts, and each device key counts once.',
    remedy:
      'Grant the permission to more users, or register devices with keys of their own. `countersign action policy test` lists who would be asked.',
  }),
  too_many_approval_requests: error('rate_limited', {
    when: 'The user has as many open requests as are allowed.',
    remedy: 'Wait until a request is redeemed, is rejected or expires.',
  }),
  no_trusted_device: error('conflict', 'No trusted device could vouch', {
    when: 'A vouching is started again, and the user has neither a trusted device nor a trusted passkey that approves.',
    remedy: 'Use an enrolment code of an administrator, or wait for the cooling-off to end.',
  }),
  too_many_vouchings: error('rate_limited', {
    when: 'The vouching for this device or passkey was started again as often as a day allows.',
    remedy: 'Wait, or trust the device with a code or by an administrator.',
  }),
  same_key: error('forbidden', 'The key of this device cannot approve this request', {
    when: 'The key of the device or passkey approved the request for another user, or is or was a key of the requester.',
    remedy: 'Use a device with a key of its own.',
  }),
  passkey_required: error('forbidden', 'Approve with a passkey that verifies you', {
    when: 'A device that the approver registered signs by its key alone, and the service asks for a passkey (`COUNTERSIGN_APPROVER_VERIFICATION=always`).',
    remedy: 'Approve with a trusted passkey. The device can still reject, stop, and vouch for a passkey of the same person.',
  }),
  passkey_not_admitted: error('forbidden', 'The policy of this action does not take this passkey', {
    when: 'The policy takes only devices (`"approver": "device"`), or no passkey that is synced between devices (`"approver": "unsynced"`).',
    remedy: 'Approve with a registered device.',
  }),
  approval_not_found: error('not_found', 'Approval request not found', {
    when: 'No request has this id, or the caller neither made it nor was asked.',
    remedy: 'Check the id. A service needs the scope of the type; a bound token reads in its tenants only.',
  }),
  approval_not_approved: error('conflict', 'Approval request is not approved', {
    when: 'The request was rejected, or too few approvals count. No approval counts if its approver lost the permission or was disabled or locked, or the device lost its trust.',
    remedy: 'Do not carry out the action. Read the state of the request.',
  }),
  other_policy: error('conflict', 'Approval request is of another policy', {
    when: 'The policy that the redeeming service states is not the policy of the request.',
    remedy: 'Do not carry out the action. After a change of the policy, ask for approval again.',
  }),
  policy_changed: error('conflict', 'The approval policy asks for more now', {
    when: 'The policy was removed, or asks for more than at the request.',
    remedy: 'Do not carry out the action. Ask for approval again.',
  }),
  approval_expired: error('gone', 'Approval request expired', {
    when: 'The request was withdrawn, or its time is over.',
    remedy: 'Ask for approval again.',
  }),
  approval_decided: error('gone', 'Approval request already decided', {
    when: 'The request to withdraw has all its approvals, or was redeemed; or the request was rejected or stopped.',
    remedy: 'Read its state. If it is approved, do not redeem it.',
  }),
  approval_used: error('conflict', 'Approval request already used', {
    when: 'The request was redeemed before somebody wanted to stop it.',
    remedy: 'The action is under way. Undo it where it was carried out.',
  }),
  approval_redeemed: error('gone', 'Approval request already redeemed', {
    when: 'The request was redeemed before.',
    remedy: 'Do not carry out the action again. To repeat a lost call, send the same `idempotencyKey`.',
  }),
}
