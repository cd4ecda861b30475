import type { RestrictedResource } from '../../login-with-amazon/token-service.ts'
import { ok, type Operation, operation, SpError } from './operation.ts'

const MAX_RESOURCES = 50
const methods = ['GET', 'PUT', 'POST', 'DELETE']

function isResource(value: unknown): value is RestrictedResource {
  const { method, path } = (value ?? {}) as Partial<RestrictedResource>
  return methods.includes(method ?? '') && typeof path === 'string' && /^\/[^?#]+$/.test(path)
}

/** A restricted data token, without which no buyer is shown. */
export const restrictedTokenOperations: Operation[] = [
  operation('createRestrictedDataToken', 'POST /tokens/2021-03-01/restrictedDataToken', 1, 10, request => {
    const { restrictedResources: resources } = (request.body ?? {}) as { restrictedResources?: unknown }
    if (
      !Array.isArray(resources) ||
      resources.length === 0 ||
      resources.length > MAX_RESOURCES ||
      !resources.every(isResource)
    )
      throw new SpError(
        400,
        'InvalidRequest',
        'Request is missing or has invalid parameters',
        'Resource not provided or not valid.',
      )
    return ok(request.restrict(resources.map(({ method, path }) => ({ method, path }))))
  }),
]
