import { XMLParser } from 'fast-xml-parser'
import { z } from 'zod'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  // The file has none; an entity declaration could only be an attack.
  processEntities: false,
  isArray: (name, path) => name === 'Cube' && path !== 'Envelope.Cube',
})

const rate = z.object({
  currency: z.string().regex(/^[A-Z]{3}$/),
  rate: z
    .string()
    .regex(/^\d+(\.\d+)?$/)
    .transform(Number)
    .pipe(z.number().positive()),
})
// Fewer would be a file that broke off: the bank publishes about thirty.
const fewestRates = 20

/** The daily file: exactly one day, each currency once, the dollar among them. */
const dailyFile = z.object({
  Envelope: z.object({
    Cube: z.object({
      Cube: z.tuple([
        z.object({
          time: z.iso.date(),
          Cube: z
            .array(rate)
            .min(fewestRates)
            .refine(rows => new Set(rows.map(row => row.currency)).size === rows.length, 'a currency appears twice')
            .refine(rows => rows.some(row => row.currency === 'USD'), 'the dollar is missing'),
        }),
      ]),
    }),
  }),
})

/** The day and the units of each currency for one euro. Throws when the text is anything but the bank's daily file. */
export function parseDailyFile(text: string): { day: string; perEuro: Record<string, number> } {
  const [{ time, Cube: rows }] = dailyFile.parse(parser.parse(text, true)).Envelope.Cube.Cube
  return { day: time, perEuro: Object.fromEntries(rows.map(row => [row.currency, row.rate])) }
}
