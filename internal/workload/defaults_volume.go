package workload

import (
	corev1 "k8s.io/api/core/v1"
)

// defaultVolume applies the defaults of one volume: a source if it has none, then
// those of each source (SetDefaults_Volume and the generated walk).
func defaultVolume(volume *corev1.Volume) {
	source := &volume.VolumeSource
	if *source == (corev1.VolumeSource{}) {
		source.EmptyDir = &corev1.EmptyDirVolumeSource{}
		return
	}
	if source.Image != nil {
		setDefault(&source.Image.PullPolicy, pullPolicy(source.Image.Reference))
	}
	if source.HostPath != nil {
		pointDefault(&source.HostPath.Type, corev1.HostPathUnset)
	}
	defaultModes(source)
	defaultProjected(source.Projected)
	defaultClaimTemplate(source.Ephemeral)
	defaultNetworkDisks(source)
}

// defaultModes gives the files of mounted API objects their mode.
func defaultModes(source *corev1.VolumeSource) {
	if source.Secret != nil {
		pointDefault(&source.Secret.DefaultMode, corev1.SecretVolumeSourceDefaultMode)
	}
	if source.ConfigMap != nil {
		pointDefault(&source.ConfigMap.DefaultMode, corev1.ConfigMapVolumeSourceDefaultMode)
	}
	if source.DownwardAPI != nil {
		pointDefault(&source.DownwardAPI.DefaultMode, corev1.DownwardAPIVolumeSourceDefaultMode)
		defaultDownwardFiles(source.DownwardAPI.Items)
	}
}

func defaultDownwardFiles(files []corev1.DownwardAPIVolumeFile) {
	for i := range files {
		defaultFieldRef(files[i].FieldRef)
	}
}

// tokenSeconds is the life of a projected token, an hour
// (SetDefaults_ServiceAccountTokenProjection).
const tokenSeconds = 3600

func defaultProjected(projected *corev1.ProjectedVolumeSource) {
	if projected == nil {
		return
	}
	pointDefault(&projected.DefaultMode, corev1.ProjectedVolumeSourceDefaultMode)
	for i := range projected.Sources {
		source := &projected.Sources[i]
		if source.DownwardAPI != nil {
			defaultDownwardFiles(source.DownwardAPI.Items)
		}
		if source.ServiceAccountToken != nil {
			pointDefault(&source.ServiceAccountToken.ExpirationSeconds, tokenSeconds)
		}
	}
}

// defaultClaimTemplate is SetDefaults_PersistentVolumeClaimSpec.
func defaultClaimTemplate(ephemeral *corev1.EphemeralVolumeSource) {
	if ephemeral == nil || ephemeral.VolumeClaimTemplate == nil {
		return
	}
	claim := &ephemeral.VolumeClaimTemplate.Spec
	pointDefault(&claim.VolumeMode, corev1.PersistentVolumeFilesystem)
	roundUp(claim.Resources.Limits)
	roundUp(claim.Resources.Requests)
}

// defaultNetworkDisks gives the sources with markers in k8s.io/api/core/v1 their
// defaults (the "+default" of types.go).
func defaultNetworkDisks(source *corev1.VolumeSource) {
	if iscsi := source.ISCSI; iscsi != nil {
		setDefault(&iscsi.ISCSIInterface, "default")
	}
	if rbd := source.RBD; rbd != nil {
		setDefault(&rbd.RBDPool, "rbd")
		setDefault(&rbd.RadosUser, "admin")
		setDefault(&rbd.Keyring, "/etc/ceph/keyring")
	}
	if disk := source.AzureDisk; disk != nil {
		pointDefault(&disk.CachingMode, corev1.AzureDataDiskCachingReadWrite)
		pointDefault(&disk.FSType, "ext4")
		pointDefault(&disk.ReadOnly, false)
		pointDefault(&disk.Kind, corev1.AzureSharedBlobDisk)
	}
	if scaleIO := source.ScaleIO; scaleIO != nil {
		setDefault(&scaleIO.StorageMode, "ThinProvisioned")
		setDefault(&scaleIO.FSType, "xfs")
	}
}
