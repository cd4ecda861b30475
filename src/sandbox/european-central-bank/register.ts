import { XMLBuilder } from 'fast-xml-parser'
import type { FastifyInstance } from 'fastify'
import type { World } from '../core/world.ts'
import { publishedDay, ratesOfDay } from './daily-rates.ts'

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
