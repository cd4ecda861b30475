import { z } from 'zod'

export const reportWire = z.object({
  reportId: z.string(),
  status: z.string(),
  startDate: z.string().nullish(),
  endDate: z.string().nullish(),
  configuration: z
    .object({
      reportTypeId: z.string().nullish(),
      groupBy: z.array(z.string()).nullish(),
      columns: z.array(z.string()).nullish(),
      timeUnit: z.string().nullish(),
      filters: z.array(z.unknown()).nullish(),
    })
    .nullish(),
  url: z.string().nullish(),
  urlExpiresAt: z.string().nullish(),
  fileSize: z.number().nullish(),
  failureReason: z.string().nullish(),
})
export type ReportWire = z.output<typeof reportWire>

/** The 425: `{"code":"425","detail":"The Request is a duplicate of : <reportId>"}`. */
export const duplicateWire = z.object({ code: z.union([z.string(), z.number()]).transform(String), detail: z.string() })

export const deletedWire = z.looseObject({})
