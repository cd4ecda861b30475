import * as v from 'valibot'
import { accountType, listUserSchema, shortUser } from '#features/auth/user-contract.ts'
import { subscriptionState } from '#features/subscription/contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, pageOf, paging, queryId, queryInt } from '#shared/query-schemas.ts'

const instant = v.pipe(v.string(), v.isoTimestamp())

/** How long a user is managed before it ends by itself. */
export const managingMinutes = 60

export const managedUserSchema = v.object({
  ...listUserSchema.entries,
  subscriptionState,
  /** False for campaign managers and admins: nobody acts for them. */
  canBeManaged: v.boolean(),
})
export type ManagedUser = v.InferOutput<typeof managedUserSchema>

export const impersonationStatusSchema = v.object({
  impersonating: v.optional(v.boolean(), false),
  /** Who manages; null outside managing, like the rest. */
  adminUser: v.nullable(shortUser),
  managedUser: v.nullable(v.object({ ...shortUser.entries, id })),
  /** When managing ends by itself. */
  endsAt: v.nullable(instant),
})
export type ImpersonationStatus = v.InferOutput<typeof impersonationStatusSchema>

/** The roles by which users can be looked for. */
export const roleFilter = v.picklist(['OWNER', 'AGENCY', 'VIEWER', 'CAMPAIGN_MANAGER', 'ADMIN'])

const assignedUser = v.object({ id, ...shortUser.entries })
export type AssignedUser = v.InferOutput<typeof assignedUser>
const managerUsersSchema = v.object({
  /** True if the manager sees all users; then nobody is assigned. */
  seesAll: v.boolean(),
  /** The assigned users, by name. */
  users: v.array(assignedUser),
})
export type ManagerUsers = v.InferOutput<typeof managerUsersSchema>
/** The most users that can be assigned to one campaign manager. */
export const mostAssigned = 5000

const auditEntry = v.object({
  /** Counts the entries of this user from 1. */
  number: v.number(),
  at: instant,
  managerName: v.string(),
  managerEmail: v.string(),
  method: v.string(),
  /** The path with its parameters' names: /keywords/:id. */
  path: v.string(),
  summary: v.string(),
  /** The ids and values that were sent, by name; texts are left out. */
  details: v.record(v.string(), v.array(v.union([v.string(), v.number(), v.boolean()]))),
  /** `UNKNOWN` if the server stopped in the middle: the change may have been made. */
  outcome: v.picklist(['DONE', 'REJECTED', 'FAILED', 'UNKNOWN']),
  /** Why it was rejected or failed. */
  errorCode: v.nullable(v.string()),
})
export type AuditEntry = v.InferOutput<typeof auditEntry>

const root = '/admin/user-management'

export const managingEndpoints = {
  users: defineEndpoint({
    method: 'GET',
    path: `${root}/users`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'blocked',
    summary: 'The users that the caller may manage, by name: one page of them, and none after the last',
    query: v.strictObject({
      ...paging,
      size: v.optional(
        v.pipe(queryInt, v.minValue(1, 'Must be at least 1'), v.maxValue(200, 'Must be at most 200')),
        200,
      ),
      role: v.optional(roleFilter),
      accountType: v.optional(accountType),
      subscription: v.optional(subscriptionState),
    }),
    response: v.array(managedUserSchema),
  }),
  user: defineEndpoint({
    method: 'GET',
    path: `${root}/users/:id`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'blocked',
    summary: 'One user that the caller may manage',
    params: v.strictObject({ id: queryId }),
    response: managedUserSchema,
    errors: ['NOT_FOUND'],
  }),
  search: defineEndpoint({
    method: 'GET',
    path: `${root}/users/search`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'blocked',
    summary: 'The first 50 users whose name or email address contains a text',
    query: v.strictObject({ query: v.pipe(v.string(), v.trim(), v.minLength(1, 'Enter a name'), v.maxLength(100)) }),
    response: v.array(managedUserSchema),
  }),
  manage: defineEndpoint({
    method: 'POST',
    path: `${root}/manage/:id`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'blocked',
    summary: 'Act for a user, for an hour at most: from now on every call of this session does',
    params: v.strictObject({ id: queryId }),
    response: managedUserSchema,
    errors: ['NOT_FOUND', 'FORBIDDEN'],
  }),
  clear: defineEndpoint({
    method: 'POST',
    path: `${root}/manage/clear`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'either',
    summary: 'Stop managing; does nothing if nobody is managed',
    status: 204,
    response: v.null(),
  }),
  current: defineEndpoint({
    method: 'GET',
    path: `${root}/managed/current`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'either',
    summary: 'The managed user; null if nobody is managed',
    response: v.nullable(managedUserSchema),
  }),
  status: defineEndpoint({
    method: 'GET',
    path: `${root}/impersonation/status`,
    access: 'account',
    authority: 'CAMPAIGN_MANAGER',
    managing: 'either',
    summary: 'Whether this session manages a user, who manages whom, and until when',
    response: impersonationStatusSchema,
  }),
  managerUsers: defineEndpoint({
    method: 'GET',
    path: `${root}/managers/:id/users`,
    access: 'account',
    authority: 'ADMIN',
    managing: 'blocked',
    summary: 'Which users a campaign manager sees; for admins',
    params: v.strictObject({ id: queryId }),
    response: managerUsersSchema,
    errors: ['NOT_FOUND'],
  }),
  assignUsers: defineEndpoint({
    method: 'PUT',
    path: `${root}/managers/:id/users`,
    access: 'account',
    authority: 'ADMIN',
    managing: 'blocked',
    summary: 'Set which users a campaign manager sees: all, or the listed ones; for admins',
    params: v.strictObject({ id: queryId }),
    body: v.strictObject({ seesAll: v.boolean(), userIds: v.pipe(v.array(id), v.maxLength(mostAssigned)) }),
    response: managerUsersSchema,
    errors: ['NOT_FOUND'],
  }),
}

export const auditLogEndpoints = {
  own: defineEndpoint({
    method: 'GET',
    path: '/user/audit-log',
    access: 'account',
    summary: 'What campaign managers did for the user, newest first',
    query: v.strictObject({ ...paging, kind: v.optional(v.picklist(['ALL', 'CHANGES']), 'ALL') }),
    response: pageOf(auditEntry),
  }),
}
