/** Ids of the marketplace are digits too long for a number; on the wire some calls write them as integers. */
export type EntityId = string
export type EntityState = 'ENABLED' | 'PAUSED' | 'PROPOSED' | 'ARCHIVED'

export interface Dated {
  /** Epoch milliseconds of the world's clock. */
  createdAt: number
  updatedAt: number
}

export interface Expression {
  type: string
  value?: string
}
