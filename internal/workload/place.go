package workload

import "bytes"

// place is where a value stands in an object, as far as WriteContent has to tell places apart.
// The items of a list stand where the list stands.
type place int

const (
	elsewhere place = iota
	leftOut
	inObject
	inMetadata
	inSpec
	inVolumes
	inContainers
	inMounts
	volumeName
	mountName
)

// leavesOut reports whether WriteContent leaves out fields of the object at this place.
func (p place) leavesOut() bool { return p == inObject || p == inMetadata }

// named reports whether a volume's name is at the place.
func (p place) named() bool { return p == volumeName || p == mountName }

// field is the place of a field.
func (p place) field(name []byte) place {
	switch p {
	case inObject:
		return ofObject(string(name))
	case inMetadata:
		return ofMetadata(string(name))
	case inSpec:
		return ofSpec(string(name))
	case inContainers:
		// What else names a volume, fileKeyRef, names an emptyDir (k8s.io/kubernetes
		// pkg/apis/core/validation/validation.go, validateFileKeyRefVolumes).
		if n := string(name); n == "volumeMounts" || n == "volumeDevices" {
			return inMounts
		}
	case inVolumes:
		if string(name) == "name" {
			return volumeName
		}
	case inMounts:
		if string(name) == "name" {
			return mountName
		}
	}
	return elsewhere
}

func ofObject(name string) place {
	switch name {
	case "status":
		return leftOut
	case "metadata":
		return inMetadata
	case "spec":
		return inSpec
	}
	return elsewhere
}

func ofMetadata(name string) place {
	switch name {
	case "name", "generateName", "uid", "resourceVersion", "generation", "creationTimestamp", "managedFields", "selfLink":
		return leftOut
	}
	return elsewhere
}

func ofSpec(name string) place {
	switch name {
	case "volumes":
		return inVolumes
	case "containers", "initContainers", "ephemeralContainers":
		return inContainers
	}
	return elsewhere
}

// tokenVolume begins the name of the volume with the token of the service account; five random
// characters follow (k8s.io/kubernetes plugin/pkg/admission/serviceaccount/admission.go,
// apiserver/pkg/storage/names/generate.go).
const (
	tokenVolume  = "kube-api-access-"
	suffixLength = 5
)

// isTokenVolume reports whether the API server may have given a volume its name.
func isTokenVolume(name []byte) bool {
	suffix, ok := bytes.CutPrefix(name, []byte(tokenVolume))
	if !ok || len(suffix) != suffixLength {
		return false
	}
	for _, c := range suffix {
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
