import * as v from 'valibot'
import { defineEndpoint } from '#shared/define-endpoint.ts'

export const dataExportEndpoints = {
  download: defineEndpoint({
    method: 'GET',
    path: '/user/export',
    managing: 'blocked',
    access: 'account',
    summary: 'Everything that the user owns here, and nobody else’s, as a JSON file',
    response: v.unknown(),
    file: ['application/json'],
  }),
}
