// Jest 29 cannot require the ES modules of MSW, which `backlot/jest` imports.
export default { setupFilesAfterEnv: ['backlot/jest'], transform: {} };
