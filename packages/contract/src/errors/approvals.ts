import type { ErrorDescription } from './error-description.ts'

/** The errors of approvals. */
export const approvalErrors = {
  confirmation_not_found: {
    status: 404,
    place: 'authentication',
    when: 'The user has no confirmation with this id.',
    remedy: 'Check the id. A confirmation of another user is reported in the same way.',
  },
  confirmation_used: {
    status: 410,
    place: 'authentication',
    when: 'The confirmation was approved or rejected before.',
    remedy: 'Read the status of the confirmation. For another approval, request a new confirmation.',
  },
  confirmation_expired: {
    status: 410,
    place: 'authentication',
    when: 'The confirmation was neither approved nor rejected in time.',
    remedy: 'Request a new confirmation.',
  },
  wrong_confirmation_signature: {
    status: 401,
    place: 'authentication',
    when: 'The signature is not by the key of the device, or not over the challenge of the confirmation.',
    remedy:
      'Sign the UTF-8 bytes of the challenge text with the key of the device. Several wrong signatures reject the confirmation.',
  },
  receipt_not_found: {
    status: 404,
    place: 'authentication',
    when: 'The caller has no approved confirmation with this id.',
    remedy: 'Check the id and the status of the confirmation. A confirmation of another user is reported in the same way.',
  },
  data_erased: {
    status: 410,
    place: 'authentication',
    when: 'The user was deleted, and the content of the confirmation was erased. Receipts that were issued before still verify.',
    remedy: 'Use a receipt that you kept. No new one can be made.',
  },
  receipt_unavailable: {
    status: 409,
    place: 'authentication',
    when: 'The confirmation was approved before the service kept evidence of approvals.',
    remedy: 'Request a new confirmation.',
  },
  receipts_unavailable: {
    status: 503,
    place: 'authentication',
    when: 'Every receipt key of the service is retired or revoked.',
    remedy: 'Tell the operator of the service to add a receipt key.',
  },
  action_type_not_found: {
    status: 404,
    place: 'host',
    when: 'No action type is registered under this key.',
    remedy: '`countersign action list` shows the keys of all registered versions.',
  },
  action_type_taken: {
    status: 409,
    place: 'host',
    when: 'This version of the action type is registered already. A registered version never changes.',
    remedy: 'Register the change under a new version.',
  },
  action_type_breaks: {
    status: 409,
    place: 'host',
    when: 'The new version refuses payloads that the active version accepts.',
    remedy: 'Change the schema, or register the version with `--allow-breaking`.',
  },
  action_types_changed_meanwhile: {
    status: 409,
    place: 'host',
    when: 'Other processes changed the registry of action types at the same time.',
    remedy: 'Try again.',
  },
  display_refused: {
    status: 400,
    place: 'host',
    when: 'The schema admits a member that no line of the display shows, or the display is malformed.',
    remedy: 'Close every object of the schema, and give every member a line in every language.',
  },
  receipt_key_not_found: {
    status: 404,
    place: 'host',
    when: 'No published receipt key has this id.',
    remedy: '`countersign keys list` shows the ids of all receipt keys.',
  },
  receipt_key_ended: {
    status: 409,
    place: 'host',
    when: 'The receipt key was retired or revoked before.',
    remedy: '`countersign keys list` shows since when.',
  },
  wrong_match_number: {
    status: 401,
    place: 'authentication',
    when: 'The number is not the number that the asking page shows.',
    remedy: 'Compare the number with the page. The second wrong number rejects the confirmation.',
  },
  confirmation_not_approved: {
    status: 409,
    place: 'authentication',
    when: 'The approval of a confirmation is to be used, and there is none: it is pending, rejected, expired or voided by a lock or a disabling of the account. Also where it serves another purpose, where the user is disabled or locked, and where the device that approved was removed.',
    remedy: 'Read the status of the confirmation. For another approval, request a new confirmation.',
  },
  other_action: {
    status: 409,
    place: 'authentication',
    when: 'The user approved another action: the type or the payload differs.',
    remedy: 'Send the type and the payload of the confirmation, with every member. Never carry out an action that differs.',
  },
  confirmation_consumed: {
    status: 410,
    place: 'authentication',
    when: 'The approval was used before. An approval is used once.',
    remedy: 'Do not carry out the action again. For another action, request a new confirmation.',
  },
  confirmation_too_old: {
    status: 410,
    place: 'authentication',
    when: 'The user approved too long ago: 10 minutes, where the host sets no other time.',
    remedy: 'Request a new confirmation, and use its approval at once.',
  },
  CONFIRMATION_REQUIRED: {
    status: 403,
    place: 'authentication',
    when: 'A gate of the host asks for an approval on a device, and the call has none. `details` has the `actionType` and the `actionPayload` of what the call would do.',
    remedy:
      'Request a confirmation of exactly this action. After the approval, repeat the call with its id in the header `Confirmation-Id`.',
  },
  too_many_pending_confirmations: {
    status: 429,
    place: 'authentication',
    when: 'The user has the largest allowed number of pending confirmations.',
    remedy: 'Approve or reject pending confirmations, or wait until they expire.',
  },
  receipts_not_configured: {
    status: 503,
    place: 'authentication',
    when: 'A receipt is needed, and the service has no keys for receipts. Nothing was consumed.',
    remedy: 'The operator sets `COUNTERSIGN_RECEIPT_KEYS`; `countersign keys generate --receipt` prints a key.',
  },
  no_approval_policy: {
    status: 409,
    place: 'authentication',
    when: 'No policy says who approves actions of this type, and how many must.',
    remedy: 'The operator sets a policy: the option `approvalPolicies`, or `countersign action policy`.',
  },
  too_few_approvers: {
    status: 409,
    place: 'authentication',
    when: 'Fewer users than the policy asks for could approve the request. The requester never approves, nor does a key of the requester, and each device key counts once.',
    remedy:
      'An administrator grants the permission of the policy to more users, or the approvers register devices with keys of their own.',
  },
  too_many_approval_requests: {
    status: 429,
    place: 'authentication',
    when: 'The user has the largest allowed number of open approval requests.',
    remedy: 'Wait until a request is redeemed, is rejected or expires.',
  },
  same_key: {
    status: 403,
    place: 'authentication',
    when: 'The key of the device approved the same request for another user before, or it is the key of a device of the requester.',
    remedy: 'Approve with a device that has a key of its own.',
  },
  approval_not_found: {
    status: 404,
    place: 'authentication',
    when: 'No approval request has this id, or the caller is neither its requester nor was asked to approve.',
    remedy: 'Check the id. A service needs the scope for the type of the request.',
  },
  approval_not_approved: {
    status: 409,
    place: 'authentication',
    when: 'The request has too few approvals that count, or was rejected. An approval does not count after its approver lost the permission or was disabled or locked, or after the device lost its trust.',
    remedy: 'Read the state of the request. Do not carry out the action.',
  },
  other_policy: {
    status: 409,
    place: 'authentication',
    when: 'The request was made under another policy than the redeeming service states: another permission or another count.',
    remedy: 'Do not carry out the action. After a change of the policy, ask for a new approval request.',
  },
  approval_expired: {
    status: 410,
    place: 'authentication',
    when: 'The request was not redeemed in time: 24 hours, where the host sets no other time.',
    remedy: 'Ask for a new approval request.',
  },
  approval_redeemed: {
    status: 410,
    place: 'authentication',
    when: 'The request was redeemed before. A request is redeemed once.',
    remedy: 'Do not carry out the action again. To repeat a lost call, send the same `idempotencyKey`.',
  },
} as const satisfies Readonly<Record<string, ErrorDescription>>
