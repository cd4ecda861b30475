import type { FastifyRequest } from 'fastify'
import { faultOf } from '../../core/fault-hooks.ts'
import { ItemError } from './item-error.ts'

/** Items that an ordered fault refuses: those it names, else every second one, else the only one. */
export const refusedBy = (request: FastifyRequest, index: number, total: number): ItemError | null => {
  const fault = faultOf(request, 'partial')
  if (!fault) return null
  const hit = fault.items ? fault.items.includes(index) : total === 1 || index % 2 === 1
  return hit ? new ItemError(fault.selector, fault.reason, { message: 'The item was refused' }) : null
}
