import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { id, queryId } from '#shared/query-schemas.ts'

export const MAX_VIEWS = 50

export const listNames = [
  'campaigns',
  'adGroups',
  'ads',
  'keywords',
  'targets',
  'searchTerms',
  'negatives',
  'ledger',
] as const
const list = v.picklist(listNames, 'Must be a list')
export type ListName = v.InferOutput<typeof list>

const name = v.pipe(
  v.string('Name is required'),
  v.trim(),
  v.nonEmpty('Name is required'),
  v.maxLength(60, 'At most 60 characters'),
)
const value = v.union([v.string(), v.number(), v.boolean(), v.array(v.string())])
const search = v.pipe(
  v.record(v.pipe(v.string(), v.maxLength(40)), value),
  v.check(entries => JSON.stringify(entries).length <= 4000, 'Too much to save in one view'),
)

export const view = v.object({
  id,
  list,
  name,
  search,
  /** The list opens with it; at most one of each list. */
  isDefault: v.boolean(),
})
export type View = v.InferOutput<typeof view>

const params = v.strictObject({ id: queryId })

export const viewEndpoints = {
  list: defineEndpoint({
    method: 'GET',
    path: '/views',
    access: 'subscription',
    summary: 'The views that the user saved of a list, or of all lists, by name',
    query: v.strictObject({ list: v.optional(list) }),
    response: v.array(view),
  }),
  create: defineEndpoint({
    method: 'POST',
    path: '/views',
    access: 'subscription',
    authority: 'MEMBER',
    summary: 'Saves a view; one of the same name is replaced',
    body: v.strictObject({ list, name, search }),
    response: view,
    status: 201,
    errors: ['RULE_VIOLATED'],
  }),
  update: defineEndpoint({
    method: 'PUT',
    path: '/views/:id',
    access: 'subscription',
    authority: 'MEMBER',
    summary: 'Renames a view, replaces what it shows, or lets its list open with it',
    params,
    body: v.strictObject({ name: v.optional(name), search: v.optional(search), isDefault: v.optional(v.boolean()) }),
    response: view,
    errors: ['NOT_FOUND', 'CONFLICT'],
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path: '/views/:id',
    access: 'subscription',
    authority: 'MEMBER',
    summary: 'Deletes a view',
    params,
    response: v.null(),
    status: 204,
    errors: ['NOT_FOUND'],
  }),
}
