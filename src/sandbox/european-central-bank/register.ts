import { XMLBuilder } from 'fast-xml-parser'
import type { FastifyInstance } from 'fastify'
import { addDays, dayIn, hourIn } from '#shared/time.ts'
import type { World } from '../core/world.ts'
import { fraction, hashText } from '../market/random.ts'

/** The bank's reference rates of 1 October 2026, in the order of its file. The emulated rates vary around them. */
const base = [
  ['USD', '1.1298'],
  ['JPY', '178.49'],
  ['CZK', '24.459'],
  ['DKK', '7.4758'],
  ['GBP', '0.85373'],
  ['HUF', '367.18'],
  ['PLN', '4.3735'],
  ['RON', '5.2830'],
  ['SEK', '11.3310'],
  ['CHF', '0.9437'],
  ['ISK', '137.00'],
  ['NOK', '10.8750'],
  ['TRY', '55.3993'],
  ['AUD', '1.6255'],
  ['BRL', '5.8620'],
  ['CAD', '1.6095'],
  ['CNY', '7.5748'],
  ['HKD', '8.8658'],
  ['IDR', '20274.71'],
  ['ILS', '3.4755'],
  ['INR', '108.8320'],
  ['KRW', '1537.96'],
  ['MXN', '20.5251'],
  ['MYR', '4.6147'],
  ['NZD', '2.0121'],
  ['PHP', '70.950'],
  ['SGD', '1.4460'],
  ['THB', '38.023'],
  ['ZAR', '18.6934'],
] as const

const zone = 'Europe/Berlin'
const publishedAtHour = 16
// Only the bank's holidays with a fixed date. Good Friday and Easter Monday are working days here.
const holidays = new Set(['01-01', '05-01', '12-25', '12-26'])
const isWorkingDay = (day: string): boolean =>
  ![0, 6].includes(new Date(`${day}T12:00:00Z`).getUTCDay()) && !holidays.has(day.slice(5))

/** The day of the newest table: today's on working days from 16:00 in Frankfurt on, else the previous working day's. */
function publishedDay(now: Date): string {
  let day = dayIn(now, zone)
  if (hourIn(now, zone) < publishedAtHour) day = addDays(day, -1)
  while (!isWorkingDay(day)) day = addDays(day, -1)
  return day
}

const wave = (dayNumber: number, periodDays: number, phase: number): number =>
  Math.sin(2 * Math.PI * (dayNumber / periodDays + phase))

/** The rates of a day, the same on every machine: within about four percent of the base, moving slowly. */
function ratesOfDay(day: string): { currency: string; rate: string }[] {
  const dayNumber = Date.parse(`${day}T00:00:00Z`) / 86_400_000
  return base.map(([currency, rate]) => {
    const phase = fraction(hashText(currency, 1))
    const noise = fraction(hashText(`${currency} ${day}`, 1)) - 0.5
    const share = 0.025 * wave(dayNumber, 211, phase) + 0.01 * wave(dayNumber, 37, phase * 7) + 0.006 * noise
    return { currency, rate: (Number(rate) * (1 + share)).toFixed(rate.length - rate.indexOf('.') - 1) }
  })
}

const xml = new XMLBuilder({ attributeNamePrefix: '@', ignoreAttributes: false, suppressEmptyNode: true, format: true })

function fileOf(day: string): string {
  return xml.build({
    '?xml': { '@version': '1.0', '@encoding': 'UTF-8' },
    'gesmes:Envelope': {
      '@xmlns:gesmes': 'http://www.gesmes.org/xml/2002-08-01',
      '@xmlns': 'http://www.ecb.int/vocabulary/2002-08-01/eurofxref',
      'gesmes:subject': 'Reference rates',
      'gesmes:Sender': { 'gesmes:name': 'European Central Bank' },
      Cube: {
        Cube: {
          '@time': day,
          Cube: ratesOfDay(day).map(({ currency, rate }) => ({ '@currency': currency, '@rate': rate })),
        },
      },
    },
  })
}

/** The European Central Bank's daily file of reference rates, by the world's clock. */
export function registerEuropeanCentralBank(app: FastifyInstance, world: World): void {
  app.get('/ecb/stats/eurofxref/eurofxref-daily.xml', (_request, reply) =>
    reply.type('text/xml').send(fileOf(publishedDay(world.clock.now()))),
  )
}
