import { z } from 'zod'
import type { EntityState } from '../structure/entities.ts'

const states: Record<string, EntityState> = { ENABLED: 'ENABLED', PAUSED: 'PAUSED', ARCHIVED: 'ARCHIVED' }

/** A state that is none of ours (pending, draft) does not run as far as we can tell, so it is shown as paused. */
export const stateOf = (wire: string): EntityState => states[wire.toUpperCase()] ?? 'PAUSED'

/** 20260310 as 2026-03-10; a day with dashes stays as it is. */
export const dayOf = (wire: string): string => wire.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3')

/** 2026-03-10 as 20260310. */
export const toCompactDay = (day: string): string => day.replaceAll('-', '')

/** The extended fields of the older calls: a serving status and dates in epoch milliseconds. */
export const observedWire = {
  servingStatus: z.string().nullish(),
  creationDate: z.number().nullish(),
  lastUpdatedDate: z.number().nullish(),
}

export function observedOf(wire: {
  servingStatus?: string | null | undefined
  creationDate?: number | null | undefined
  lastUpdatedDate?: number | null | undefined
}) {
  return {
    servingStatus: wire.servingStatus ?? null,
    createdAt: wire.creationDate ? new Date(wire.creationDate) : null,
    updatedAt: wire.lastUpdatedDate ? new Date(wire.lastUpdatedDate) : null,
  }
}
