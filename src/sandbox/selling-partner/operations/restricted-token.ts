import { z } from 'zod'
import { TOKEN_SECONDS } from '../../login-with-amazon/token-service.ts'
import { ok, operation, SpError } from './operation.ts'

const resource = z.object({ method: z.enum(['GET', 'PUT', 'POST', 'DELETE']), path: z.string().regex(/^\/[^?#]+$/) })
const tokenBody = z.object({ restrictedResources: z.array(resource).min(1).max(50) })

const problem = ['Request is missing or has invalid parameters', 'Resource not provided or not valid.'] as const

/** A restricted data token, without which no buyer is shown. */
export const restrictedTokenOperations = [
  operation('createRestrictedDataToken', 'POST /tokens/2021-03-01/restrictedDataToken', 1, 10, request => {
    const { data } = tokenBody.safeParse(request.body)
    if (!data) throw new SpError(400, 'InvalidRequest', ...problem)
    const restrictedDataToken = request.world.lwa.restrict(request.access.grantId, data.restrictedResources)
    return ok({ restrictedDataToken, expiresIn: TOKEN_SECONDS })
  }),
]
