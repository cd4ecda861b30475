import { choiceOfTemplate, structureOfTemplate } from '../public.ts'
import type { Template } from '../../contract.ts'
import type { WizardState } from '../../draft/wizard-state.ts'

interface TemplateDiagramProps {
  template: Template
  mode: WizardState['setupMode']
}

/** The campaigns of a template as boxes and their ad groups as the words in them; drawn from what a launch would make. */
export const TemplateDiagram = ({ template, mode }: TemplateDiagramProps) => {
  const campaigns = structureOfTemplate(template)
  const choice = choiceOfTemplate(template, mode)
  return (
    <>
      <span className="diagram">
        <span className="visually-hidden">
          {choice && 'Up to '}
          {campaigns.length} {campaigns.length === 1 ? 'campaign' : 'campaigns'}:{' '}
          {campaigns.map(c => `${c.title} (${c.groups.join(', ')})`).join('; ')}
        </span>
        {campaigns.map((campaign, i) => (
          <span key={`${campaign.title} ${i}`} className="diagram-campaign" aria-hidden="true">
            <b>{campaign.title}</b>
            {campaign.groups.map(group => (
              <i key={group}>{group}</i>
            ))}
          </span>
        ))}
      </span>
      {choice && <small className="diagram-choice">{choice}</small>}
    </>
  )
}
