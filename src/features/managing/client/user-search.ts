import * as v from 'valibot'
import { accountType } from '#features/auth/user-contract.ts'
import { subscriptionState } from '#features/subscription/contract.ts'
import { roleFilter } from '../contract.ts'

const optional = <S extends v.GenericSchema>(schema: S) => v.optional(v.fallback(v.optional(schema), undefined))

/** The search params of /admin-user-management. What an address holds that is none of this is left out. */
export const userSearch = v.object({
  query: optional(v.pipe(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), v.trim(), v.maxLength(100))),
  role: optional(roleFilter),
  accountType: optional(accountType),
  subscription: optional(subscriptionState),
})
export type UserSearch = v.InferOutput<typeof userSearch>
