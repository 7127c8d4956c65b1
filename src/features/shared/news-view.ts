/** The response schema of notifications, which are sent as the host's feed has them. */

import { anything, list, str } from '../../core/declare/args.ts'
import { either, fields, mapOf, sometimes } from '../../core/declare/response-schema.ts'

const conditionsSchema = either(list(anything()), mapOf(anything()))

export const notificationsSchema = list(
  fields(
    {
      id: str(),
      title: str(),
      description: sometimes(str()),
      topic: sometimes(str()),
      date: sometimes(str()),
      imageSrc: sometimes(str()),
      link: sometimes(str()),
      readMoreText: sometimes(str()),
      cta: sometimes(str({ description: 'What to do.' })),
      ctaLink: sometimes(str({ description: 'Where to do it.' })),
      chipPlan: sometimes(str()),
      chipTags: sometimes(list(str())),
      conditions: sometimes(list(conditionsSchema, { description: 'Groups of conditions, one of which holds.' })),
    },
    { title: 'Notification' },
  ),
)
