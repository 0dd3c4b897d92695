import preview from '../blocks/storybook-storybook.js';

export default { ...preview, tags: ['autodocs'] };
