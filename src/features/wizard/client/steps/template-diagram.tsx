import { factsOfTemplate, type Template } from '#features/launches/contract.ts'
import { structureOfTemplate } from '#features/launches/client/public.ts'
import { funnelPhases } from '../../rules.ts'

/** The campaigns of a template as boxes and their ad groups as the words in them; drawn from what a launch would make. */
export const TemplateDiagram = ({ template }: { template: Template }) => {
  const campaigns = structureOfTemplate(template).map(campaign => drawn(template, campaign))
  return (
    <span className="diagram">
      <span className="visually-hidden">
        {campaigns.length} {campaigns.length === 1 ? 'campaign' : 'campaigns'}:{' '}
        {campaigns.map(c => `${c.name} (${c.groups.join(', ')})`).join('; ')}
      </span>
      {campaigns.map((campaign, i) => (
        <span key={`${campaign.name} ${i}`} className="diagram-campaign" aria-hidden="true">
          <b>{campaign.name}</b>
          {campaign.groups.map((group, j) => (
            <i key={`${group} ${j}`}>{group}</i>
          ))}
        </span>
      ))}
    </span>
  )
}

type Drawn = Pick<ReturnType<typeof structureOfTemplate>[number], 'name' | 'groups'>

// The ad groups of one funnel are its phases in their order, two of which have the same match type.
const drawn = (template: Template, { name, groups }: Drawn): Drawn => {
  if (groups.length === 1) return { name, groups }
  const phases = factsOfTemplate(template).family === 'FUNNEL' ? funnelPhases(true) : []
  return { name: 'Manual', groups: groups.map((group, i) => (phases[i] ? `${phases[i].name}: ${group}` : group)) }
}
