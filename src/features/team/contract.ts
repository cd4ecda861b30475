import * as v from 'valibot'
import { emailField, invitedFields } from '#features/auth/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryId } from '#shared/query-schemas.ts'

/** An invitation can be answered for this long after its last mail. */
export const invitationDays = 7
export const maxMerchantsInvited = 500

const instant = v.pipe(v.string(), v.isoTimestamp())
const merchant = v.object({ id, name: v.string() })

const invitationSchema = v.object({
  id,
  email: v.string(),
  invitedBy: v.string(),
  merchants: v.array(merchant),
  sentAt: instant,
  expiresAt: instant,
  isExpired: v.boolean(),
})
export type Invitation = v.InferOutput<typeof invitationSchema>

const memberSchema = v.object({
  accountId: id,
  name: v.string(),
  email: v.string(),
  role: v.picklist(['OWNER', 'VIEWER']),
  since: instant,
  isSelf: v.boolean(),
})
export type Member = v.InferOutput<typeof memberSchema>

const teamSchema = v.object({
  /** Every merchant that the user owns, by name, with everybody who has access to it; owners first. */
  merchants: v.array(v.object({ ...merchant.entries, members: v.array(memberSchema) })),
  /** Invitations that nobody has answered yet, the newest first; those that expired within the last 30 days too. */
  invitations: v.array(invitationSchema),
})
export type Team = v.InferOutput<typeof teamSchema>

/** The form of an invitation, and the body of its call. */
export const inviteBody = v.strictObject({
  email: emailField,
  merchantIds: v.pipe(
    v.array(id),
    v.minLength(1, 'Choose at least one seller'),
    v.maxLength(maxMerchantsInvited, `Choose at most ${maxMerchantsInvited} sellers`),
  ),
  /** What the invited person will be; nobody becomes an owner by an invitation. */
  role: v.optional(v.literal('VIEWER'), 'VIEWER'),
})
export type InviteInput = v.InferInput<typeof inviteBody>

const token = v.pipe(v.string(), v.minLength(1, 'The link is incomplete'), v.maxLength(200))
const tokenBody = v.strictObject({ token })

/** The form with which an invited person registers. */
export const registerInvitedBody = v.strictObject({ token, ...invitedFields })
export type RegisterInvitedInput = v.InferInput<typeof registerInvitedBody>

const openedSchema = v.object({
  email: v.string(),
  invitedBy: v.string(),
  merchants: v.array(v.string()),
  expiresAt: instant,
})
export type OpenedInvitation = v.InferOutput<typeof openedSchema>

const one = {
  access: 'account',
  managing: 'blocked',
  params: v.strictObject({ id: queryId }),
  response: v.null(),
  status: 204,
} as const
// Nobody needs to be logged in: the token is the permission.
const byToken = { method: 'POST', access: 'public', errors: ['TOKEN_INVALID'] } as const

export const teamEndpoints = {
  team: defineEndpoint({
    method: 'GET',
    path: '/team',
    access: 'account',
    authority: 'ACCOUNT_MANAGER',
    summary: 'Who has access to the merchants that the user owns, and who is invited',
    response: teamSchema,
  }),
  invite: defineEndpoint({
    method: 'POST',
    path: '/team/invitations',
    access: 'account',
    managing: 'blocked',
    idempotencyKey: 'optional',
    summary: 'Invites an address to view merchants; the answer does not tell whether it has an account',
    status: 201,
    body: inviteBody,
    response: invitationSchema,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  resend: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/team/invitations/:id/resend',
    summary: 'Sends an invitation again, with a new link that is good for 7 days; the link before is void',
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  revoke: defineEndpoint({
    ...one,
    method: 'DELETE',
    path: '/team/invitations/:id',
    summary: 'Revokes an invitation; does nothing if it is revoked already',
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  restore: defineEndpoint({
    ...one,
    method: 'POST',
    path: '/team/invitations/:id/restore',
    summary: 'Undoes revoking an invitation: its link is good again until it expires',
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  removeMember: defineEndpoint({
    method: 'DELETE',
    path: '/team/merchants/:merchantId/members/:accountId',
    access: 'account',
    managing: 'blocked',
    summary: 'Takes a viewer’s access to a merchant away, at once',
    params: v.strictObject({ merchantId: queryId, accountId: queryId }),
    status: 204,
    response: v.null(),
    errors: ['NOT_FOUND', 'RULE_VIOLATED'],
  }),
}

export const invitationEndpoints = {
  open: defineEndpoint({
    ...byToken,
    path: '/team/invitations/open',
    summary: 'What an invitation is about, by the token of its mail',
    body: tokenBody,
    response: openedSchema,
  }),
  register: defineEndpoint({
    ...byToken,
    path: '/team/invitations/register',
    summary: 'Registers the invited person and accepts; the address counts as verified',
    status: 201,
    body: registerInvitedBody,
    response: v.object({ email: v.string() }),
    errors: ['TOKEN_INVALID', 'CONFLICT'],
  }),
  accept: defineEndpoint({
    method: 'POST',
    path: '/team/invitations/accept',
    access: 'account',
    authority: 'MEMBER',
    managing: 'blocked',
    summary: 'Accepts an invitation to the own address, by the token of its mail',
    body: tokenBody,
    response: v.object({ merchantIds: v.array(id) }),
    errors: ['TOKEN_INVALID', 'RULE_VIOLATED'],
  }),
  decline: defineEndpoint({
    ...byToken,
    path: '/team/invitations/decline',
    summary: 'Declines an invitation, by the token of its mail',
    status: 204,
    body: tokenBody,
    response: v.null(),
  }),
}
