import type { FastifyReply, FastifyRequest } from 'fastify'
import { faultOf } from '../../core/fault-hooks.ts'
import type { AdsCaller } from '../ads-caller.ts'
import type { Entity } from './entity-kind.ts'
import { ItemError } from './item-error.ts'

export interface Outcome<T> {
  item: T
  entity?: Entity
  problem?: ItemError
}

/** The error that a partial fault injects for an item: for those it names, else for every second one or the only one. */
function injectedError(request: FastifyRequest, index: number, total: number): ItemError | null {
  const fault = faultOf(request, 'partial')
  if (!fault) return null
  const hit = fault.items ? fault.items.includes(index) : total === 1 || index % 2 === 1
  return hit ? new ItemError(fault.selector, fault.reason, 'The item was refused') : null
}

/** Runs each item by itself; one that fails does not affect the others. */
export const runItems = <T>(
  request: FastifyRequest,
  { world }: AdsCaller,
  items: readonly T[],
  run: (item: T) => Entity,
): Outcome<T>[] =>
  world.change(() =>
    items.map((item, index) => {
      try {
        const injected = injectedError(request, index, items.length)
        if (injected) throw injected
        return { item, entity: run(item) }
      } catch (problem) {
        if (!(problem instanceof ItemError)) throw problem
        return { item, problem }
      }
    }),
  )

/** Whether the request prefers the whole object in each success; the answer then confirms it. */
export function prefersWhole(request: FastifyRequest, reply: FastifyReply): boolean {
  const prefers = /\breturn=representation\b/.test(String(request.headers.prefer ?? ''))
  if (prefers) void reply.header('preference-applied', 'return=representation')
  return prefers
}
