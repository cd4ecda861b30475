import * as v from 'valibot'
import { MAX_PAYLOAD_BYTES } from './contract.ts'
import { defineEndpoint } from '#shared/define-endpoint.ts'
import { draftSchema } from './draft/draft.ts'

export { type Draft, draftSchema } from './draft/draft.ts'
export { wizardState, type WizardState } from './draft/wizard-state.ts'

const path = '/campaign/draft'

/** The draft of the signed-in user for the current advertising account; there is at most one. */
export const draftEndpoints = {
  get: defineEndpoint({
    method: 'GET',
    path,
    access: 'subscription',
    summary: 'The campaign begun and not launched yet',
    response: v.object({ draft: v.nullable(draftSchema) }),
    errors: ['RULE_VIOLATED'],
    ofShop: true,
  }),
  save: defineEndpoint({
    method: 'PUT',
    path,
    access: 'subscription',
    summary: 'Keeps the campaign begun; one that was changed later elsewhere stays, and is answered',
    body: v.strictObject(draftSchema.entries),
    maxBodyBytes: MAX_PAYLOAD_BYTES,
    response: v.object({ draft: draftSchema }),
    errors: ['RULE_VIOLATED'],
    ofShop: true,
  }),
  remove: defineEndpoint({
    method: 'DELETE',
    path,
    access: 'subscription',
    summary: 'Throws the campaign begun away; one of another id stays',
    query: v.strictObject({ id: draftSchema.entries.id }),
    response: v.null(),
    status: 204,
    errors: ['RULE_VIOLATED'],
    ofShop: true,
  }),
}
