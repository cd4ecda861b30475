import type { RestrictedResource } from '../../login-with-amazon/token-service.ts'
import { ok, type Operation, refusal } from './operation.ts'

const MOST_RESOURCES = 50
const methods = ['GET', 'PUT', 'POST', 'DELETE']

function isResource(value: unknown): value is RestrictedResource {
  const { method, path } = (value ?? {}) as Partial<RestrictedResource>
  return methods.includes(method ?? '') && typeof path === 'string' && /^\/[^?#]+$/.test(path)
}

/** A restricted data token: without one, nobody is told who bought. */
export const restrictedTokenOperations: Operation[] = [
  {
    id: 'createRestrictedDataToken',
    method: 'POST',
    url: '/tokens/2021-03-01/restrictedDataToken',
    rate: 1,
    burst: 10,
    answer(request) {
      const { restrictedResources: named } = (request.body ?? {}) as { restrictedResources?: unknown }
      if (!Array.isArray(named) || named.length === 0 || named.length > MOST_RESOURCES || !named.every(isResource))
        return refusal(
          400,
          'InvalidRequest',
          'Request is missing or has invalid parameters',
          'Resource not provided or not valid.',
        )
      return ok(request.restrict(named.map(({ method, path }) => ({ method, path }))))
    },
  },
]
