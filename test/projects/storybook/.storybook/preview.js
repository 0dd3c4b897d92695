import { backlotLoader } from 'backlot/storybook';

export default {
  loaders: [backlotLoader],
  parameters: { docs: { story: { inline: false } } },
  tags: ['autodocs'],
};
