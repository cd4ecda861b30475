import * as v from 'valibot'
import { MAX_PAYLOAD_BYTES } from './contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { draftSchema } from './draft/draft.ts'

export { type Draft, draftSchema } from './draft/draft.ts'
export { wizardState, type WizardState } from './draft/wizard-state.ts'

const ofDraft = {
  path: '/campaign/draft',
  access: 'subscription',
  authority: 'MERCHANT_MANAGER',
  errors: ['RULE_VIOLATED'],
  ofShop: true,
} as const

/** The draft of the signed-in user for the current advertising account; there is at most one. */
export const draftEndpoints = {
  get: defineEndpoint({
    ...ofDraft,
    method: 'GET',
    summary: 'The draft of a campaign that is not launched yet',
    response: v.object({ draft: v.nullable(draftSchema) }),
  }),
  save: defineEndpoint({
    ...ofDraft,
    method: 'PUT',
    summary: 'Saves the draft; a newer one from another device is kept and returned',
    body: v.strictObject(draftSchema.entries),
    maxBodyBytes: MAX_PAYLOAD_BYTES,
    response: v.object({ draft: draftSchema }),
  }),
  remove: defineEndpoint({
    ...ofDraft,
    method: 'DELETE',
    summary: 'Deletes the draft with this id',
    query: v.strictObject({ id: draftSchema.entries.id }),
    response: v.null(),
    status: 204,
  }),
}
