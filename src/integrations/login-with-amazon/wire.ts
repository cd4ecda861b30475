import { z } from 'zod'

export const tokenWire = z.object({
  access_token: z.string().min(1),
  /** Absent in some answers to a refresh: then the old one stays. */
  refresh_token: z.string().min(1).nullish(),
  expires_in: z.number().positive(),
})
