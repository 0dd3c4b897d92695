export default {
  framework: '@storybook/react-vite',
  stories: ['../src/*.stories.jsx'],
  addons: ['@storybook/addon-docs'],
  staticDirs: ['../public'],
  core: { disableTelemetry: true, disableWhatsNewNotifications: true },
};
