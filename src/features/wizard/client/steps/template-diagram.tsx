import type { Template } from '#features/launches/contract.ts'
import { structureOfTemplate } from '#features/launches/client/public.ts'

/** The campaigns of a template as boxes and their ad groups as the words in them; drawn from what a launch would make. */
export const TemplateDiagram = ({ template }: { template: Template }) => {
  const campaigns = structureOfTemplate(template)
  return (
    <span className="diagram">
      <span className="visually-hidden">
        {campaigns.length} {campaigns.length === 1 ? 'campaign' : 'campaigns'}:{' '}
        {campaigns.map(c => `${c.name} (${c.groups.join(', ')})`).join('; ')}
      </span>
      {campaigns.map((campaign, i) => (
        <span key={`${campaign.name} ${i}`} className="diagram-campaign" aria-hidden="true">
          <b>{campaign.groups.length > 1 ? 'Manual' : campaign.name}</b>
          {campaign.groups.map((group, j) => (
            <i key={`${group} ${j}`}>{group}</i>
          ))}
        </span>
      ))}
    </span>
  )
}
